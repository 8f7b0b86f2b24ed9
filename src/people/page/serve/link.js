// The link to the program that serves this page. See `desk.js` for what a link
// is; another one can take its place.
const openLink = ({ heard, opened, lost }) => {
  let socket = null;
  let wait = 500;
  const connect = () => {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    socket.onopen = () => { wait = 500; opened(); };
    socket.onmessage = event => heard(event.data);
    socket.onclose = event => {
      lost(event.code === 1013 ? "too many pages are open" : "the program has ended, or cannot be reached");
      setTimeout(connect, wait);
      wait = Math.min(wait * 2, 10_000);
    };
  };
  connect();
  return { send: text => socket.readyState === WebSocket.OPEN && (socket.send(text), true) };
};
