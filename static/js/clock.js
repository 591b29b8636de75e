/* Counts rounds and tables down to their end, and rings there.

   Markup (templates/partials/clock.html, bell.html):
     <p class="clock" data-clock="2026-12-05T09:50:00+08:00" data-now="2026-12-05T09:12:30+08:00"
        data-left="还剩 {time}" data-over="时间到"><strong data-clock-left role="timer" hidden></strong> …</p>
     <p data-bell hidden><button type="button" data-on="铃声已开">打开铃声</button><span data-bell-sign data-text="时间到了"></span></p>

   `data-now` is the server's time when it wrote the page; where it is missing (cached pages), the Date of
   the answers to polls is taken (js/poll.js). So a telephone with a wrong clock shows what the hall shows.
   Sound comes only after a tap on the bell's button; the sign comes always. */

const SECOND = 1000;
const TONES = [880, 660, 880];

let ahead = 0;
let sound = null;
const awaited = new Set();

function hear(server, exact) {
  const moment = Date.parse(server ?? "");
  if (!Number.isNaN(moment)) {
    ahead = moment + (exact ? 0 : SECOND / 2) - Date.now();
  }
}

function text(left) {
  const seconds = Math.ceil(left / SECOND);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours ? [hours, String(minutes).padStart(2, "0")] : [minutes];
  return [...parts, String(seconds % 60).padStart(2, "0")].join(":");
}

function ring() {
  for (const sign of document.querySelectorAll("[data-bell-sign]")) {
    sign.textContent = sign.dataset.text;
  }
  if (!sound) {
    return;
  }
  TONES.forEach((pitch, place) => tone(pitch, place * 0.7, 0.6));
}

function tone(pitch, after, length) {
  const [source, volume] = [sound.createOscillator(), sound.createGain()];
  const start = sound.currentTime + after;
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(0.4, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  source.connect(volume).connect(sound.destination);
  source.start(start);
  source.stop(start + length);
}

function tick() {
  const now = Date.now() + ahead;
  const shown = new Set();
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const end = Date.parse(clock.dataset.clock);
    const left = clock.querySelector("[data-clock-left]");
    const over = end <= now;
    left.hidden = false;
    left.textContent = over ? clock.dataset.over : clock.dataset.left.replace("{time}", text(end - now));
    clock.classList.toggle("over", over);
    shown.add(end);
    if (!over) {
      awaited.add(end);
    }
  }
  let rings = false;
  for (const end of awaited) {
    rings ||= end <= now && shown.has(end);
    if (end <= now || !shown.has(end)) {
      awaited.delete(end);
    }
  }
  if (rings) {
    ring();
  }
  for (const bell of document.querySelectorAll("[data-bell]")) {
    bell.hidden = shown.size === 0;
  }
}

function read() {
  hear(document.querySelector("[data-clock][data-now]")?.dataset.now, true);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-bell] button");
  if (!button) {
    return;
  }
  button.dataset.off ||= button.textContent;
  if (sound) {
    sound.close();
    sound = null;
  } else {
    sound = new AudioContext();
    tone(TONES[0], 0, 0.3);
  }
  button.setAttribute("aria-pressed", String(sound !== null));
  button.textContent = sound ? button.dataset.on : button.dataset.off;
});
document.addEventListener("duozhu:answered", (event) => {
  if (!document.querySelector("[data-clock][data-now]")) {
    hear(event.detail, false);
  }
});
document.addEventListener("duozhu:swapped", () => {
  read();
  tick();
});

read();
tick();
setInterval(tick, SECOND);
