// Makes the page installable, and usable offline, where a host serves it together
// with the two files that are built beside it. Opened as a file it does without both.
addEventListener("load", () => {
  const isServed = isSecureContext && location.protocol.startsWith("http") && location.pathname.endsWith("/santorini.html");
  if (!isServed || !("serviceWorker" in navigator)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: "santorini.webmanifest" }));
  // Without the file the page still works, but only online.
  navigator.serviceWorker.register("santorini-worker.js").catch(() => {});
});
