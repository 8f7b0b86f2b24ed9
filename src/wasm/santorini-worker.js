// Keeps santorini.html for offline use. Online the page always comes from the host, and the
// copy is renewed, so an update arrives at once.
const NAME = "santorini";
const page = new URL("santorini.html", location).href;

const fetched = async () => {
  const response = await fetch(page, { cache: "no-cache" });
  if (response.ok) {
    const cache = await caches.open(NAME);
    await cache.put(page, response.clone());
  }
  return response;
};

addEventListener("install", event => {
  skipWaiting();
  event.waitUntil(fetched());
});

addEventListener("fetch", event => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.mode !== "navigate" || origin + pathname !== page) return;
  event.respondWith(fetched().catch(async error => {
    const cache = await caches.open(NAME);
    const kept = await cache.match(page);
    if (kept) return kept;
    throw error;
  }));
});
