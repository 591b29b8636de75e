/* The digits of a result line (templates/partials/result_line.html).

   Markup: [data-keypad] holds .figure elements with one number input each and a hidden .pad with
   buttons [data-digit] and one [data-erase]. The inputs are what is sent: the pad only writes into
   them and fires `input` and `change`, so that htmx sees it. Two digits of 胡 move on to the next
   figure. On touch screens the inputs do not open the phone's keyboard. */

for (const line of document.querySelectorAll("[data-keypad]")) {
  const pad = line.querySelector(".pad");
  const figures = [...line.querySelectorAll(".figure")];
  if (pad && figures.length) {
    start(pad, figures);
  }
}

function start(pad, figures) {
  let active = 0;
  let fresh = true;
  const inputs = figures.map((figure) => figure.querySelector("input"));
  pad.hidden = false;

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
    const key = event.target.closest("button");
    if (!key) {
      return;
    }
    const old = inputs[active].value;
    if ("erase" in key.dataset) {
      write(old.slice(0, -1));
      fresh = false;
      return;
    }
    const text = (fresh ? "" : old) + key.dataset.digit;
    fresh = false;
    write(text.slice(0, 2));
    if (text.length >= 2 && active + 1 < inputs.length) {
      go(active + 1);
    }
  });
  go(0);
}
