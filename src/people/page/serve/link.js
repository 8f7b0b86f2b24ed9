// The link to the program that serves this page. `client.js` explains links; the page as one
// file has another one. The address of the page contains the token.

// The address of a socket of that program.
/** @type {(name: string) => URL} */
const socketAddress = name => {
  const address = new URL(`${name}${location.search}`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  return address;
};

/** @type {OpenLink} */
const openLink = ({ heard, opened, lost }) => {
  /** @type {WebSocket} */
  let socket;
  let wait = 500;
  const address = socketAddress("socket");

  // Why there is no connection.
  /** @type {(code: number) => Promise<string>} */
  const reason = async code => {
    if (code === 1013) return "too many pages are open";
    try {
      const { status } = await fetch(`./${location.search}`, { method: "HEAD", signal: AbortSignal.timeout(5000) });
      if (status === 403) {
        return /[?&]guest=/.test(location.search) ? "the invitation is no longer valid; ask for another one"
          : "the program was restarted; open the new address that it printed";
      }
    } catch {
      // No answer, or none in time.
    }
    return "the program has ended, or cannot be reached";
  };

  const connect = () => {
    socket = new WebSocket(address);
    socket.onopen = () => { wait = 500; opened(); };
    socket.onmessage = event => heard(event.data);
    socket.onclose = async ({ code }) => {
      lost(await reason(code));
      setTimeout(connect, wait);
      wait = Math.min(wait * 2, 10_000);
    };
  };
  connect();
  return { send: text => socket.readyState === WebSocket.OPEN && (socket.send(text), true) };
};
