/** How long the seat to move has left. */

const TICK = 250;
const LOW = 10; // seconds from which on a clock warns

export class Clocks {
  /** @param {HTMLElement} board */
  constructor(board) {
    this.board = board;
    this.moves = -1;
    this.seat = -1;
    /** @type {number | null} when the time is over */
    this.end = null;
    setInterval(() => this.show(), TICK);
  }

  /** What the server says of the own clock. @param {number} moves @param {number | null} seconds */
  own(moves, seconds) {
    this.moves = moves;
    this.end = seconds === null ? null : performance.now() + 1000 * seconds;
  }

  /** Whose turn it is; others' clocks begin when their turn is seen. @param {any} view @param {any} facts */
  turn(view, facts) {
    const seat = view.over ? null : view.to_move;
    this.seat = seat ?? -1;
    if (seat !== null && seat !== view.seat && view.moves !== this.moves) {
      const limited = facts.move_seconds && facts.seats[seat].kind === "remote";
      this.end = limited ? performance.now() + 1000 * facts.move_seconds : null;
      this.moves = view.moves;
    }
    this.show();
  }

  show() {
    const clock = this.board.querySelector(`[data-clock="${this.seat}"]`);
    if (!(clock instanceof HTMLElement)) return;
    const left = this.end === null ? null : Math.max(0, Math.ceil((this.end - performance.now()) / 1000));
    clock.textContent = left === null ? "" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.toggleAttribute("data-low", left !== null && left < LOW);
  }
}
