/* The service worker of the referee's pages: a sheet can be opened again without network.

   The network comes first, always. Kept are static files (their names carry their hash) and the last
   page of each sheet; pages go when somebody logs in or out or opens a link. POSTs are never kept.
   Where static files lie, the page says in this script's own address (`?static=`, sheet.js). */

const FILES = "duozhu-files";
const PAGES = "duozhu-sheets";
const STATIC = new URL(new URL(location).searchParams.get("static"), location).href;
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
  const own = files.filter((file) => file.startsWith(STATIC));
  const all = own.map((file) => fetch(file).then((response) => keep(FILES, file, response)));
  if (SHEET.test(new URL(page).pathname)) {
    all.push(fetch(page, { credentials: "same-origin" }).then((response) => keep(PAGES, page, response)));
  }
  event.waitUntil(Promise.all(all).catch(() => undefined));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method === "GET" && url.href.startsWith(STATIC)) {
    event.respondWith(fromNetwork(FILES, request));
  } else if (url.origin !== location.origin) {
    return;
  } else if (url.pathname.startsWith("/accounts/log") || url.pathname.startsWith("/l/")) {
    event.waitUntil(caches.delete(PAGES));
  } else if (request.method === "GET" && request.mode === "navigate" && SHEET.test(url.pathname)) {
    event.respondWith(fromNetwork(PAGES, request));
  }
});
