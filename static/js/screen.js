/* The screen in the hall: one page of one part at a time, in turn.

   Markup (templates/public/screen.html):
     <body class="screen" data-only="standings" data-zone="Asia/Shanghai">  "" for what the organizer lets rotate
       <section class="panel idle">…</section>              shown where there is nothing else
       <div class="part" data-part="bracket" data-poll=…>   js/poll.js keeps it fresh
         <section class="panel"><h2>…</h2><div class="fill">…</div></section> …</div>
       <div class="part" data-part="rota">                  its first element: data-order="bracket:12 tables:10"
         <section class="panel ceremony" data-step data-since data-seconds><ol><li data-table>…</ol></section></div>

   What does not fit into a `.fill` flows into columns to its right; a page is as wide as the screen, so every
   size of screen gets as many pages as it needs. While the network is away the last content goes on rotating,
   and a sign says of when it is. */

const SECOND = 1000;
const USUAL = 12;

const rota = document.querySelector('[data-part="rota"]');
const idle = document.querySelector(".idle");
const only = document.body.dataset.only.split(",").filter(Boolean);
const sign = (name) => document.querySelector(`[data-${name}]`);

let ahead = 0;
let at = { part: "", panel: 0, page: 0 };
let until = 0;
let heardAt = new Date();
let isBehind = false;

function now() {
  return Date.now() + ahead;
}

function order() {
  const told = rota.querySelector("[data-order]")?.dataset.order ?? "";
  const seconds = new Map(told.split(" ").filter(Boolean).map((one) => one.split(":")));
  return (only.length ? only : [...seconds.keys()]).map((name) => [name, Number(seconds.get(name)) || USUAL]);
}

function panelsOf(name) {
  return [...document.querySelectorAll(`[data-part="${name}"] .panel`)];
}

function gapOf(fill) {
  return parseFloat(getComputedStyle(fill).columnGap) || 0;
}

function pagesOf(panel) {
  const fill = panel.querySelector(".fill");
  if (!fill) {
    return 1;
  }
  const gap = gapOf(fill);
  return Math.max(1, Math.ceil((fill.scrollWidth + gap - 2) / (fill.clientWidth + gap)));
}

/* Only what is displayed can be measured, so a panel is put up before its pages are counted. */
function put(panel) {
  for (const one of document.querySelectorAll(".panel.on")) {
    if (one !== panel) {
      one.classList.remove("on");
    }
  }
  panel.classList.add("on");
}

function show() {
  const ceremony = rota.querySelector(".ceremony");
  if (ceremony && !only.length) {
    put(ceremony);
    reveal(ceremony);
    return;
  }
  const panel = panelsOf(at.part)[at.panel];
  if (!panel) {
    put(idle);
    say("page", "");
    return;
  }
  put(panel);
  const pages = pagesOf(panel);
  at.page = Math.min(at.page, pages - 1);
  const fill = panel.querySelector(".fill");
  fill?.scrollTo({ left: at.page * (fill.clientWidth + gapOf(fill)), behavior: "instant" });
  say("page", pages > 1 ? `${at.page + 1}/${pages}` : "");
}

function advance() {
  const parts = order().filter(([name]) => panelsOf(name).length);
  if (!parts.length) {
    at = { part: "", panel: 0, page: 0 };
    until = performance.now() + SECOND;
    return;
  }
  const place = parts.findIndex(([name]) => name === at.part);
  const panels = place < 0 ? [] : panelsOf(at.part);
  const current = panels[at.panel];
  if (current?.classList.contains("on") && at.page + 1 < pagesOf(current)) {
    at = { ...at, page: at.page + 1 };
  } else if (place >= 0 && at.panel + 1 < panels.length) {
    at = { part: at.part, panel: at.panel + 1, page: 0 };
  } else {
    at = { part: parts[(place + 1) % parts.length][0], panel: 0, page: 0 };
  }
  const seconds = parts.find(([name]) => name === at.part)[1];
  until = performance.now() + seconds * SECOND;
}

function reveal(ceremony) {
  const steps = [...ceremony.querySelectorAll("li")];
  const since = Date.parse(ceremony.dataset.since);
  const gone = Number.isNaN(since) ? 0 : Math.floor((now() - since) / SECOND / Number(ceremony.dataset.seconds));
  const shown = Math.min(steps.length, Number(ceremony.dataset.step) + Math.max(0, gone));
  const last = steps[shown - 1];
  ceremony.classList.toggle("begun", shown > 0);
  steps.forEach((step, place) => {
    step.classList.toggle("last", step === last);
    step.classList.toggle("mate", place < shown - 1 && step.dataset.table === last.dataset.table);
  });
  say("page", `${shown}/${steps.length}`);
}

function say(name, text) {
  const element = sign(name);
  if (element.textContent !== text) {
    element.textContent = text;
  }
  element.hidden = !text;
}

function hours(moment) {
  const { zone: timeZone } = document.body.dataset;
  return moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false, timeZone });
}

function tick() {
  const names = order().map(([name]) => name);
  if (performance.now() >= until || !names.includes(at.part) || !panelsOf(at.part)[at.panel]) {
    advance();
  }
  show();
  say("time", isBehind ? "" : hours(new Date(now())));
  say("stale", isBehind ? sign("stale").dataset.text.replace("{time}", hours(heardAt)) : "");
}

document.addEventListener("duozhu:answered", (event) => {
  const moment = Date.parse(event.detail ?? "");
  if (!Number.isNaN(moment)) {
    ahead = moment + SECOND / 2 - Date.now();
  }
  heardAt = new Date(now());
  isBehind = false;
});
window.addEventListener("duozhu:connection", (event) => {
  isBehind = !event.detail.online;
});
window.addEventListener("offline", () => {
  isBehind = true;
  tick();
});
document.addEventListener("duozhu:swapped", tick);
window.addEventListener("resize", tick);

const whole = document.querySelector(".whole");
function offerWhole() {
  whole.hidden = !document.fullscreenEnabled || document.fullscreenElement !== null;
}
whole.addEventListener("click", () => document.documentElement.requestFullscreen());
document.addEventListener("fullscreenchange", offerWhole);

async function stayAwake() {
  if (!document.hidden) {
    await navigator.wakeLock?.request("screen").catch(() => null);
  }
}
document.addEventListener("visibilitychange", stayAwake);

document.body.classList.add("rotating");
offerWhole();
stayAwake();
tick();
setInterval(tick, SECOND);
