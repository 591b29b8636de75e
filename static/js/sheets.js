/* The service worker of the referee's pages: a sheet can be opened again without network.

   The network comes first, always. Kept are static files (their names carry their hash) and the last
   page of each sheet; pages go when somebody logs in or out or opens a link. POSTs are never kept. */

const FILES = "duozhu-files";
const PAGES = "duozhu-sheets";
const SHEET = /^\/c\/[^/]+\/table\/\d+\/sheet\/$/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function keep(store, request, response) {
  if (response.ok && !response.redirected) {
    const cache = await caches.open(store);
    await cache.put(request, response);
  }
}

async function fromNetwork(store, request) {
  try {
    const response = await fetch(request);
    await keep(store, request, response.clone());
    return response;
  } catch (error) {
    const cache = await caches.open(store);
    const same = await cache.match(request, { ignoreVary: true });
    const kept = same || (await cache.match(request, { ignoreSearch: true, ignoreVary: true }));
    if (kept) {
      return kept;
    }
    throw error;
  }
}

self.addEventListener("message", (event) => {
  const { page, files } = event.data;
  const own = files.filter((file) => new URL(file).pathname.startsWith("/static/"));
  const all = own.map((file) => fetch(file).then((response) => keep(FILES, file, response)));
  if (SHEET.test(new URL(page).pathname)) {
    all.push(fetch(page, { credentials: "same-origin" }).then((response) => keep(PAGES, page, response)));
  }
  event.waitUntil(Promise.all(all).catch(() => undefined));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) {
    return;
  }
  if (url.pathname.startsWith("/accounts/log") || url.pathname.startsWith("/l/")) {
    event.waitUntil(caches.delete(PAGES));
  } else if (request.method === "GET" && url.pathname.startsWith("/static/")) {
    event.respondWith(fromNetwork(FILES, request));
  } else if (request.method === "GET" && request.mode === "navigate" && SHEET.test(url.pathname)) {
    event.respondWith(fromNetwork(PAGES, request));
  }
});
