// A bot for the arena server of facedown in plain JavaScript, without packages: it plays any legal action until the game is over.
//
// node examples/bot.js http://127.0.0.1:8000 [TABLE] takes an open seat at that table, or makes a table of Hearts.

const { spawnSync } = require("node:child_process");

const flag = "--experimental-websocket"; // Node 22 and browsers have WebSocket; Node 20 has it with this flag
if (typeof WebSocket === "undefined" && !process.execArgv.includes(flag)) {
  process.exit(spawnSync(process.execPath, [flag, ...process.argv.slice(1)], { stdio: "inherit" }).status);
}

/** Send a request, and read the answer. */
async function post(url, data) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(data) });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error.message);
  return body;
}

/** The action to play: your idea goes here. The last view has all that the seat sees. */
function choose(event) {
  return event.legal[Math.floor(Math.random() * event.legal.length)];
}

/** Play a seat to the end of its game; the last event. */
function play(server, table, token) {
  return new Promise((done, failed) => {
    const socket = new WebSocket(`${server.replace("http", "ws")}/api/tables/${table}/live`);
    let ended = false;
    const end = (answer, value) => {
      ended = true;
      socket.close();
      answer(value);
    };
    socket.onopen = () => socket.send(JSON.stringify({ token }));
    socket.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (event.event === "your_turn") socket.send(JSON.stringify({ action: choose(event), moves: event.moves }));
      if (event.event === "error") end(failed, new Error(event.message));
      if (event.event === "over") end(done, event);
    };
    socket.onclose = () => {
      // The connection was lost: the server tells what has happened to whoever comes back.
      if (!ended) setTimeout(() => play(server, table, token).then(done, failed), 500);
    };
  });
}

/** Take a seat, play, and print the scores. */
async function main(server, table) {
  if (!table) table = (await post(`${server}/api/tables`, { game: "hearts", seats: [{ open: true }] })).id;
  const { seat, token } = await post(`${server}/api/tables/${table}/seats`, { name: "javascript example" });
  console.log(`table ${table}, seat ${seat}`);
  const over = await play(server, table, token);
  console.log("scores", ...over.scores);
  console.log(over.outcome.words);
}

main(process.argv[2], process.argv[3]).catch((error) => {
  console.error(`error: ${error.message}`);
  process.exit(1);
});
