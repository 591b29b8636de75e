/* Says on the page what a request of htmx met instead of an answer, as htmx itself shows nothing then.

   The strip `#fault` (templates/base.html) gets the sentence of the answer's [role=alert], or one of its own
   (`data-text`; `data-unsent` where there was no answer). It goes with the next request that is answered.
   The recorder says itself what was not sent (`#unsent`). */

const strip = document.getElementById("fault");

function tell(text) {
  strip.textContent = text;
  strip.hidden = false;
}

function sentence(answer) {
  const page = new DOMParser().parseFromString(answer, "text/html");
  const note = page.querySelector("[role=alert]:not([hidden])");
  return note?.textContent.trim().replace(/\s+/g, " ") || strip.dataset.text;
}

function unsent() {
  if (!document.getElementById("unsent")) {
    tell(strip.dataset.unsent);
  }
}

if (strip) {
  document.body.addEventListener("htmx:afterRequest", (event) => {
    strip.hidden = strip.hidden || event.detail.successful;
  });
  document.body.addEventListener("htmx:responseError", (event) => tell(sentence(event.detail.xhr.responseText)));
  document.body.addEventListener("htmx:sendError", unsent);
  document.body.addEventListener("htmx:timeout", unsent);
}
