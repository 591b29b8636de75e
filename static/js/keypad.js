/* The digits of a result line (templates/partials/result_line.html).

   Markup: [data-keypad] holds .figure elements with one number input each, a hidden .pad with
   buttons [data-digit] and one hidden [data-erase]. The inputs are what is sent: the pad only writes into
   them and fires `input` and `change`, so that htmx sees it. Two digits of 胡 move on to the next
   figure. On touch screens the inputs do not open the phone's keyboard. */

for (const line of document.querySelectorAll("[data-keypad]")) {
  const pad = line.querySelector(".pad");
  const figures = [...line.querySelectorAll(".figure")];
  if (pad && figures.length) {
    start(line, pad, figures);
  }
}

function start(line, pad, figures) {
  let active = 0;
  let fresh = true;
  const inputs = figures.map((figure) => figure.querySelector("input"));
  const erase = line.querySelector("[data-erase]");
  pad.hidden = false;
  erase.hidden = false;

  function go(to) {
    active = to;
    fresh = true;
    figures.forEach((figure, i) => figure.classList.toggle("active", i === to));
  }

  inputs.forEach((input, i) => {
    if (matchMedia("(pointer: coarse)").matches) {
      input.inputMode = "none";
    }
    input.addEventListener("focus", () => go(i));
  });

  function write(text) {
    const input = inputs[active];
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  pad.addEventListener("click", (event) => {
    const key = event.target.closest("[data-digit]");
    if (!key) {
      return;
    }
    const text = (fresh ? "" : inputs[active].value) + key.dataset.digit;
    fresh = false;
    write(text.slice(0, 2));
    if (text.length >= 2 && active + 1 < inputs.length) {
      go(active + 1);
    }
  });
  erase.addEventListener("click", () => {
    fresh = false;
    write(inputs[active].value.slice(0, -1));
  });
  line.closest("form").addEventListener("reset", () => go(0));
  go(0);
}
