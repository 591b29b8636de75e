/* The page of a sheet: the name of this device, and pages that open again without network.

   Markup: [data-outbox-list] brings the address of the service worker (data-worker) and where static
   files lie (data-static); #sheet-live is polled (poll.js) and gets the device into its address, so
   that somebody is told of others but not of his own other tab. */

const DEVICE = "duozhu:device";
const marks = document.querySelector("[data-outbox-list]");
const live = document.getElementById("sheet-live");

function made() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/* The same for every tab; where nothing can be kept, one for this page. */
function device() {
  const name = made();
  try {
    const known = localStorage.getItem(DEVICE);
    localStorage.setItem(DEVICE, known || name);
    return known || name;
  } catch (error) {
    return name;
  }
}

function keepPages() {
  const worker = new URL(marks.dataset.worker, location.href);
  worker.searchParams.set("static", marks.dataset.static);
  navigator.serviceWorker.register(worker).catch(() => undefined);
  navigator.serviceWorker.ready.then((registration) => {
    const files = performance.getEntriesByType("resource").map((one) => one.name);
    registration.active.postMessage({ page: location.href, files });
  });
}

if (live) {
  const url = new URL(live.dataset.poll, location.href);
  url.searchParams.set("device", device());
  live.dataset.poll = url;
}
if (marks && navigator.serviceWorker) {
  keepPages();
}
