/* Turns times within the hour into "5 分钟前", counts down to others, and keeps them true.

   Markup: <time datetime="2026-11-29T14:05:00+08:00" data-when>11-29 14:05</time>. Older and future
   times stay as the server wrote them.

   <time datetime="…" data-until="还有 {n} 分钟定局" data-over="即将定局">14:35 定局</time> is counted down
   in minutes, in the words it brings. */

const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
const MINUTE = 60_000;

function refresh() {
  for (const time of document.querySelectorAll("time[data-when]")) {
    time.dataset.when ||= time.textContent;
    const minutes = Math.floor((Date.now() - new Date(time.dateTime)) / MINUTE);
    const recent = minutes >= 0 && minutes < 60;
    time.textContent = recent ? words.format(-minutes, "minute") : time.dataset.when;
    time.title = recent ? time.dataset.when : "";
  }
}

function countDown() {
  for (const time of document.querySelectorAll("time[data-until]")) {
    time.title ||= time.textContent;
    const minutes = Math.ceil((new Date(time.dateTime) - Date.now()) / MINUTE);
    time.textContent = minutes > 0 ? time.dataset.until.replace("{n}", minutes) : time.dataset.over;
  }
}

function keepTrue() {
  refresh();
  countDown();
}

keepTrue();
setInterval(keepTrue, MINUTE / 4);
document.addEventListener("duozhu:swapped", keepTrue);
