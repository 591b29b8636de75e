/* The recorder (templates/referee/recording.html): quick taps and failed ones.

   Every tap is one POST of a form that works without this script. While one is on its way, further
   taps on the cards of the deal wait here and are pressed in turn on the page that comes back, so
   that three quick taps are three cards. Taps on events do not wait: what may come next is not
   known yet. An answer that refuses (409, 422) holds the page as it is now, and is shown. */

const waiting = [];
let underway = false;

function form() {
  return document.querySelector("#recording form");
}

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("#recording button[name='do']");
    if (button && underway) {
      event.preventDefault();
      event.stopPropagation();
      if (button.value.startsWith("发 ")) {
        waiting.push(button.value.split(" ").at(-1));
      }
    }
  },
  true,
);

document.body.addEventListener("htmx:beforeRequest", (event) => {
  underway = underway || event.target === form();
  document.querySelector("#unsent").hidden = true;
});

document.body.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if ([409, 422].includes(xhr.status)) {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
    waiting.length = 0;
  } else if (xhr.status >= 400 && xhr.status < 500) {
    window.location.reload();
  }
});

document.body.addEventListener("htmx:afterSettle", () => {
  underway = false;
  const card = waiting.shift();
  const tiles = [...document.querySelectorAll("#recording .tile:enabled")];
  const next = card && tiles.find((tile) => tile.value.startsWith("发 ") && tile.value.endsWith(` ${card}`));
  if (next) {
    next.click();
  } else {
    waiting.length = 0;
  }
});

function unsent() {
  underway = false;
  waiting.length = 0;
  document.querySelector("#unsent").hidden = false;
}

document.body.addEventListener("htmx:sendError", unsent);
document.body.addEventListener("htmx:timeout", unsent);
document.body.addEventListener("htmx:responseError", unsent);
