/* Goes through a recorded hand without a reload (templates/public/replay.html).

   Markup: #replay with data-steps (the address of all steps as one seat sees them) and data-step; in it
   [data-part="centre"] and others, whose inside each step brings anew; links [data-go] (first,
   claim_before, before, after, claim_after, last), [data-seat] (from where one sees) and [data-to] (a
   step); [data-play], [data-speed], [data-copy], hidden without scripts.
   The answer: [data-view] with the parts of the view (moves, room-0 …), and in it one [data-step="7"]
   a step. Until it is here, and where it does not come, the links work as links.
   The controls are never replaced, so they keep the focus; the address follows the step. */

const root = document.querySelector("#replay");
const EVERY = 1600;
const CLAIM_KEYS = { n: "claim_after", j: "claim_after", p: "claim_before", k: "claim_before" };
const KEYS = { ArrowLeft: "before", ArrowRight: "after", Home: "first", End: "last", ...CLAIM_KEYS };

const views = new Map();
let view = null;
let wanted = "";
let at = Number(root.dataset.step);
let timer = 0;

class View {
  constructor(seat, html) {
    const found = new DOMParser().parseFromString(html, "text/html").querySelector("[data-view]");
    this.seat = seat;
    this.steps = new Map();
    for (const step of found.querySelectorAll("[data-step]")) {
      this.steps.set(Number(step.dataset.step), parts(step));
      step.remove();
    }
    this.parts = parts(found);
    this.names = new Map(
      [...found.querySelectorAll("[data-name]")].map((one) => [one.dataset.part, one.dataset.name]),
    );
    this.numbers = [...this.steps.keys()];
    this.claims = [...found.querySelectorAll(".claim [data-to]")].map((one) => Number(one.dataset.to));
  }

  /* The step itself, or the last one before it that can be seen. */
  nearest(number) {
    return this.numbers.findLast((one) => one <= number) ?? 0;
  }

  target(where) {
    const last = this.numbers.at(-1);
    switch (where) {
      case "first":
        return 0;
      case "last":
        return last;
      case "before":
        return this.nearest(at - 1);
      case "after":
        return this.numbers.find((one) => one > at) ?? last;
      case "claim_before":
        return this.claims.findLast((one) => one < at) ?? 0;
      default:
        return this.claims.find((one) => one > at) ?? last;
    }
  }
}

function parts(within) {
  return new Map([...within.querySelectorAll("[data-part]")].map((one) => [one.dataset.part, one]));
}

function fill(found) {
  for (const [name, part] of found) {
    const inside = document.importNode(part, true).childNodes;
    root.querySelector(`[data-part="${name}"]`).replaceChildren(...inside);
  }
}

function address(number, seat) {
  const asked = new URLSearchParams({ step: number });
  if (seat) {
    asked.set("seat", seat);
  }
  return `?${asked}#${root.id}`;
}

function load(seat) {
  if (!views.has(seat)) {
    const url = new URL(root.dataset.steps, location.href);
    if (seat) {
      url.searchParams.set("seat", seat);
    }
    const asked = fetch(url).then(async (answer) => {
      if (!answer.ok) {
        throw new Error(answer.status);
      }
      return new View(seat, await answer.text());
    });
    asked.catch(() => views.delete(seat));
    views.set(seat, asked);
  }
  return views.get(seat);
}

function show(number) {
  at = number;
  fill(view.steps.get(number));
  mark();
  history.replaceState(null, "", address(number, view.seat));
  if (number === view.numbers.at(-1)) {
    pause();
  }
}

/* Links and marks that say where one is. */
function mark() {
  const ends = { first: 0, claim_before: 0, before: 0 };
  for (const link of root.querySelectorAll("[data-go]")) {
    const end = ends[link.dataset.go] ?? view.numbers.at(-1);
    link.href = address(view.target(link.dataset.go), view.seat);
    link.toggleAttribute("aria-disabled", at === end);
    if (at === end) {
      link.setAttribute("aria-disabled", "true");
    }
  }
  for (const link of root.querySelectorAll("[data-seat]")) {
    link.href = address(at, link.dataset.seat);
    link.toggleAttribute("aria-current", link.dataset.seat === view.seat);
    if (link.dataset.seat === view.seat) {
      link.setAttribute("aria-current", "true");
    }
  }
  root.querySelector(".moves [aria-current]")?.removeAttribute("aria-current");
  root.querySelector(`.moves [data-to="${at}"]`)?.setAttribute("aria-current", "step");
}

async function look(link) {
  wanted = link.dataset.seat;
  let found;
  try {
    found = await load(link.dataset.seat);
  } catch {
    location.assign(link.href);
    return;
  }
  if (found.seat !== wanted) {
    return;
  }
  view = found;
  fill(view.parts);
  for (const [part, name] of view.names) {
    root.querySelector(`[data-part="${part}"]`).parentElement.setAttribute("aria-label", name);
  }
  show(view.nearest(at));
}

const play = root.querySelector("[data-play]");
const speed = root.querySelector("[data-speed]");

function pause() {
  clearTimeout(timer);
  timer = 0;
  play.setAttribute("aria-pressed", "false");
}

function plan() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    plan();
    show(view.target("after"));
  }, EVERY / Number(speed.value));
}

function toggle() {
  if (timer) {
    pause();
    return;
  }
  if (at === view.numbers.at(-1)) {
    show(0);
  }
  play.setAttribute("aria-pressed", "true");
  plan();
}

function go(where) {
  pause();
  show(view.target(where));
}

root.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go], [data-to], [data-seat]");
  if (!link || !view || event.metaKey || event.ctrlKey || event.shiftKey || event.button) {
    return;
  }
  event.preventDefault();
  if (link.dataset.go) {
    go(link.dataset.go);
  } else if (link.dataset.to) {
    pause();
    show(Number(link.dataset.to));
  } else {
    look(link);
  }
});

document.addEventListener("keydown", (event) => {
  const aside = event.target.closest("input, select, textarea");
  if (!view || aside || event.metaKey || event.ctrlKey || event.altKey) {
    return;
  }
  const where = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  if (where) {
    go(where);
  } else if (event.key === " " && !event.target.closest("button, summary")) {
    toggle();
  } else if (/^[0-4]$/.test(event.key)) {
    const link = root.querySelectorAll("[data-seat]")[Number(event.key)];
    if (!link) {
      return;
    }
    look(link);
  } else {
    return;
  }
  event.preventDefault();
});

document.addEventListener("visibilitychange", () => document.hidden && pause());
play.addEventListener("click", toggle);
speed.addEventListener("change", () => timer && plan());

const copied = root.querySelector("[data-copied]");
root.querySelector("[data-copy]").addEventListener("click", async (event) => {
  const link = location.href;
  try {
    await navigator.clipboard.writeText(link);
    copied.textContent = event.target.dataset.done;
  } catch {
    copied.textContent = link;
  }
});

load(root.querySelector("[data-seat][aria-current]").dataset.seat).then(
  (found) => {
    view = found;
    play.hidden = false;
    root.querySelector("[data-extras]").hidden = false;
    root.dataset.ready = "true";
  },
  () => {},
);
