/* The bracket on the device: whose way is inked, his own table on top, one round a screen.

   Markup: [data-bracket] with lines [data-entrant="17"]; #mine with a .hint and a .picked, which has
   .table, .name and .clear; radios [name=zone] that CSS alone obeys. A tap on a line (not on its link) inks
   all lines of that entrant and remembers him on this device, a second tap takes it back.
   `#entrant-17` and `?entrant=17` choose him on arrival, `#zone-2` a zone. After a poll the choice
   is inked again. On a phone the bracket is as high as the round that is looked at. */

const mine = document.querySelector("#mine");
const key = mine && `duozhu:mine:${mine.dataset.page}`;
const asked = /^#entrant-(\d+)$/.exec(location.hash)?.[1] ?? mine?.dataset.entrant;
const isPhone = matchMedia("(max-width: 47.99rem)");
let chosen = asked ?? remembered();
let round = null;
let isJump = true;
let isTouched = false;

function remembered() {
  try {
    return key && localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember() {
  try {
    chosen ? localStorage.setItem(key, chosen) : localStorage.removeItem(key);
  } catch {
    // The browser keeps nothing: the choice lasts as long as the page.
  }
}

function lines() {
  return [...document.querySelectorAll("[data-bracket] [data-entrant]")];
}

function ink() {
  for (const line of lines()) {
    line.classList.toggle("inked", line.dataset.entrant === chosen);
  }
  const own = lines().filter((line) => line.dataset.entrant === chosen);
  const last = own.at(-1)?.closest(".block");
  if (!mine) {
    return;
  }
  mine.querySelector(".hint").hidden = Boolean(last);
  mine.querySelector(".picked").hidden = !last;
  if (last) {
    const title = last.closest(".round").querySelector(".round-head").firstChild.data.trim();
    const table = mine.querySelector(".table");
    table.textContent = `${title} · ${last.getAttribute("aria-label")}`;
    table.href = `#${last.id}`;
    const who = own.at(-1).querySelector(".who a");
    mine.querySelector(".name").textContent = who?.textContent ?? "";
    mine.querySelector(".name").href = who?.href ?? "";
  }
}

function choose(entrant) {
  chosen = entrant;
  remember();
  ink();
}

function show(zone) {
  const radio = document.querySelector(`.zones [value="${zone}"]`);
  if (radio) {
    radio.checked = true;
  }
}

function go() {
  isJump = true;
  const zone = /^#zone-(\d)$/.exec(location.hash)?.[1];
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (zone) {
    show(zone);
  } else if (target && !target.offsetParent) {
    show(0);
  }
  if (target) {
    target.scrollIntoView({ block: target.matches(".block") ? "center" : "start", inline: "center" });
  }
}

/* Which round is on the screen; the page keeps its place in the tree when another one is. Nothing
   moves before the reader does. */
function fit() {
  const bracket = document.querySelector("[data-bracket]");
  if (!bracket || !isPhone.matches || !isTouched) {
    bracket?.style.removeProperty("block-size");
    return;
  }
  const rounds = [...bracket.querySelectorAll(".round")];
  const now = rounds[Math.round(bracket.scrollLeft / bracket.clientWidth)];
  const before = rounds.find((one) => one.id === round);
  const above = -bracket.getBoundingClientRect().top;
  bracket.style.blockSize = `${now.offsetHeight + 16}px`;
  if (before && before !== now && above > 0 && !isJump) {
    scrollBy({ top: above * (now.offsetHeight / before.offsetHeight - 1), behavior: "instant" });
  }
  round = now.id;
  isJump = false;
}

for (const sign of ["pointerdown", "touchstart", "wheel", "keydown", "hashchange"]) {
  addEventListener(sign, () => { isTouched = true; }, { passive: true });
}

let settled;
function settle() {
  clearTimeout(settled);
  settled = setTimeout(fit, 120);
}

document.addEventListener("click", (event) => {
  const line = event.target.closest("[data-bracket] [data-entrant]");
  if (line && !event.target.closest("a, button") && getSelection().isCollapsed) {
    choose(chosen === line.dataset.entrant ? null : line.dataset.entrant);
  } else if (event.target.closest("#mine .clear")) {
    if (!location.search.includes("entrant=")) {
      event.preventDefault();
    }
    choose(null);
  } else if (event.target.closest("#mine .table")) {
    go();
  }
});
document.addEventListener("scroll", (event) => event.target.matches?.("[data-bracket]") && settle(), true);
document.addEventListener("change", (event) => event.target.name === "zone" && fit());
document.addEventListener("duozhu:swapped", () => {
  ink();
  isJump = true;
  fit();
});
window.addEventListener("hashchange", go);
isPhone.addEventListener("change", fit);

if (asked && mine) {
  remember();
}
if (chosen) {
  ink();
}
if (/^#entrant-/.test(location.hash)) {
  lines().findLast((line) => line.matches(".inked"))?.scrollIntoView({ block: "center", inline: "center" });
} else if (location.hash) {
  go();
} else if (isPhone.matches) {
  const running = [...document.querySelectorAll("[data-bracket] .round")].findLast((one) =>
    one.querySelector(".inked, .running"));
  running?.parentElement.scrollTo({ left: running.offsetLeft - running.parentElement.offsetLeft, behavior: "instant" });
}
