/* Shows the calm strip `#offline` while the browser has no network, and a thin bar for requests.

   The strip's text is in the page. Other modules announce what they know by the event
   `duozhu:connection` on window with detail {online: bool}: a phone in a hall may be on the Wi-Fi and
   still not reach the server. */

const strip = document.getElementById("offline");

function show(online) {
  if (strip) {
    strip.hidden = online;
  }
}

window.addEventListener("online", () => show(true));
window.addEventListener("offline", () => show(false));
window.addEventListener("duozhu:connection", (event) => show(event.detail.online));
show(navigator.onLine);
