/* Turns times within the hour into "5 分钟前", and keeps them true.

   Markup: <time datetime="2026-11-29T14:05:00+08:00" data-when>11-29 14:05</time>. Older and future
   times stay as the server wrote them. */

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

refresh();
setInterval(refresh, MINUTE / 2);
document.addEventListener("duozhu:swapped", refresh);
