// The link to the program that serves this page. See `client.js` for what a link
// is; another one can take its place. The address of the page holds the token.
/** @type {OpenLink} */
const openLink = ({ heard, opened, lost }) => {
  /** @type {WebSocket} */
  let socket;
  let wait = 500;
  const address = new URL(`socket${location.search}`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";

  // Why there is no connection.
  /** @type {(code: number) => Promise<string>} */
  const reason = async code => {
    if (code === 1013) return "too many pages are open";
    try {
      const { status } = await fetch(`games${location.search}`);
      if (status === 403) return "the program was started anew; open the address that it printed";
    } catch {
      // It does not answer.
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
