/* A form whose answer is awaited is not sent a second time: on a slow line a key is tapped again.

   Only forms that the browser posts itself; what other scripts send they hold back themselves. A
   form is free again when the page is shown again, and after WHILE, as an answer may be a file or
   never come. */

const WHILE = 10_000;
const underway = new Map();

window.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method") !== "post") {
    return;
  }
  if (Date.now() < underway.get(form)) {
    event.preventDefault();
  } else {
    underway.set(form, Date.now() + WHILE);
  }
});
window.addEventListener("pageshow", () => underway.clear());
