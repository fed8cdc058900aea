/** The public API of the server: requests, sockets that come again, and the seats this browser has taken. */

/** A refusal of the server, with its code; or a server that cannot be reached. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 where there was no answer
   * @param {string} code
   * @param {string} message
   * @param {any} [details] all that the refusal says
   */
  constructor(status, code, message, details) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/**
 * @param {string} path
 * @param {string | null} [token]
 * @returns {Promise<any>}
 */
export function get(path, token) {
  return request("GET", path, undefined, token);
}

/**
 * @param {string} path
 * @param {any} data
 * @param {string | null} [token]
 * @returns {Promise<any>}
 */
export function post(path, data, token) {
  return request("POST", path, data, token);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} data
 * @param {string | null} [token]
 */
async function request(method, path, data, token) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (data !== undefined) headers["content-type"] = "application/json";
  if (token) headers.authorization = `Bearer ${token}`;
  const body = data === undefined ? undefined : typeof data === "string" ? data : JSON.stringify(data);
  const answer = await fetch(path, { method, headers, body }).catch(() => null);
  if (answer === null) throw new ApiError(0, "unreachable", "The server does not answer.");
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const error = told.error ?? { code: "refused", message: `${answer.status} ${answer.statusText}` };
    throw new ApiError(answer.status, error.code, error.message, error);
  }
  return told;
}

const FIRST_WAIT = 300; // milliseconds before a lost socket is tried again
const LONGEST_WAIT = 8000;

/** A socket that is made again when it is lost, until it is closed or the server refuses it. */
export class Live {
  /**
   * @param {string} path
   * @param {() => any} hello what the first message says, each time
   * @param {(event: any) => void} onEvent
   * @param {(connected: boolean) => void} [onStatus]
   */
  constructor(path, hello, onEvent, onStatus = () => {}) {
    this.path = path;
    this.hello = hello;
    this.onEvent = onEvent;
    this.onStatus = onStatus;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.open();
  }

  open() {
    const socket = (this.socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${this.path}`));
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      socket.send(JSON.stringify(this.hello()));
      this.onStatus(true);
    };
    socket.onmessage = ({ data }) => {
      if (!this.closed) this.onEvent(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (this.closed || code === 1000) return;
      this.onStatus(false);
      setTimeout(() => this.closed || this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  /** @param {any} message */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    const { socket } = this;
    if (socket?.readyState !== WebSocket.CONNECTING) socket?.close(1000);
    else socket.onopen = () => socket.close(1000); // a browser complains of one that is closed before it is open
  }
}

// --- Seats of this browser -------------------------------------------------------------------------------------------

/** @typedef {{seat: number, token: string, name: string}} OwnSeat */

const SEATS = "facedown.seats";
const MOST_SEATS = 200; // that a browser remembers

/** @returns {Record<string, OwnSeat>} */
function ownSeats() {
  try {
    return JSON.parse(localStorage.getItem(SEATS) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * The seat that this browser has at a table.
 * @param {string} table
 * @returns {OwnSeat | null}
 */
export function seatAt(table) {
  return ownSeats()[table] ?? null;
}

/**
 * @param {string} table
 * @param {OwnSeat} seat
 */
export function rememberSeat(table, seat) {
  const kept = Object.entries({ ...ownSeats(), [table]: seat }).slice(-MOST_SEATS);
  localStorage.setItem(SEATS, JSON.stringify(Object.fromEntries(kept)));
}
