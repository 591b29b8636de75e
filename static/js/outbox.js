/* The outbox of entered hands: kept in localStorage first, sent then, in order and never twice.

   Markup: form[data-outbox] is the form of a hand, [data-outbox-list] the hidden strip of what waits
   (its texts are data attributes). Each entry has a key of its own, which the server answers only
   once, so an entry whose answer was lost is simply sent again. An entry leaves the box when the
   server has said that it is saved. A refused one stands still, the later ones of its sheet wait
   behind it, and the server's page shows its input again. Without localStorage the form is sent as a
   form. Files cannot be kept. An entry goes under the name of whoever was here when it was entered;
   with somebody else here it waits until he says that it is to go under his. What was half typed
   when another hand is opened is kept as a draft. What the live sheet tells of the next number
   ([data-sheet-next]) moves an untouched form on; beside a touched one it is only said. After a hand
   is saved an untouched form makes room for the next page; touched before that is here, it stays. */

const STORE = "duozhu:outbox";
const WAITS = [2, 5, 10, 20, 30];
const form = document.querySelector("form[data-outbox]");
const strip = document.querySelector("[data-outbox-list]");
let tries = 0;
let timer = 0;
let sending = false;
let touched = false;
let left = false;
let leaving = false;

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(STORE) || "[]");
    return Array.isArray(found) ? found : [];
  } catch (error) {
    return [];
  }
}

/* Whether the box could be written. */
function write(entries) {
  try {
    localStorage.setItem(STORE, JSON.stringify(entries));
    return true;
  } catch (error) {
    return false;
  }
}

function change(key, values) {
  write(read().map((entry) => (entry.key === key ? Object.assign(entry, values) : entry)));
}

function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function token() {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  const field = document.querySelector("[name=csrfmiddlewaretoken]");
  return cookie ? cookie[1] : field ? field.value : "";
}

function here() {
  return form ? form.getAttribute("action") : strip.dataset.url;
}

function mine() {
  return read().filter((entry) => entry.url === here());
}

function isOurs(entry) {
  return !entry.actor || entry.actor === strip.dataset.actor;
}

/* The first entry of a sheet that may be sent: neither refused, nor another's, nor on a sheet that is held up. */
function next(held) {
  const seen = new Set(held);
  return read().find((entry) => {
    const first = !seen.has(entry.url);
    seen.add(entry.url);
    return first && !entry.refused && isOurs(entry);
  });
}

async function send() {
  if (sending) {
    return;
  }
  clearTimeout(timer);
  sending = true;
  let saved = null;
  const held = new Map();
  let gone = null;
  let refused = null;
  let entry = next(held.keys());
  while (entry && !gone) {
    const answer = await post(entry);
    if (answer.saved) {
      const { key } = entry;
      write(read().filter((other) => other.key !== key));
      saved = entry.url === here() ? answer.saved : saved;
      tries = 0;
    } else if (answer.refused) {
      change(entry.key, { refused: answer.refused });
      refused = entry.url === here() ? entry : refused;
    } else if (answer.other && entry.url === here()) {
      Object.assign(strip.dataset, { actor: answer.other, name: answer.name });
      change(entry.key, { actor: entry.actor || "-" });
    } else {
      held.set(entry.url, answer);
      gone = ["away", "busy"].includes(answer.stopped) ? answer : null;
    }
    entry = next(held.keys());
  }
  sending = false;
  show(held.get(here()) || gone);
  if ([...held.values()].some((answer) => answer.stopped)) {
    const wait = WAITS[Math.min(tries, WAITS.length - 1)];
    timer = setTimeout(send, Math.max(wait, gone?.after || 0) * 1000);
    tries += 1;
  } else if (form && !touched && refused) {
    open(refused);
  } else if (saved && !touched) {
    leaving = true;
    location.assign(saved);
  }
}

/* Something is typed here: it is not to be lost to a page that is still on its way. */
function touch() {
  touched = true;
  if (leaving) {
    leaving = false;
    window.stop();
  }
}

/* What the server says to an entry: saved (the next page), refused (a sentence), other (who is here
   instead of who entered it) or stopped: away (no answer), busy (503: the site is away for a moment), fault (the
   site's own, with the number to tell; other sheets' entries are still sent) or barred. */
async function post(entry) {
  const body = new URLSearchParams(entry.fields);
  body.set("key", entry.key);
  try {
    const response = await fetch(entry.url, {
      method: "POST",
      body,
      credentials: "same-origin",
      headers: { "X-CSRFToken": token(), "X-Outbox": entry.actor || strip.dataset.actor },
    });
    const is_json = (response.headers.get("Content-Type") || "").startsWith("application/json");
    if (is_json) {
      return await response.json();
    }
    if (response.status === 503) {
      return { stopped: "busy", after: Number(response.headers.get("Retry-After")) };
    }
    if (response.status === 500) {
      return { stopped: "fault", number: response.headers.get("X-Request-ID") };
    }
    const barred = response.redirected || [401, 403, 404].includes(response.status);
    return { stopped: barred ? "barred" : "away" };
  } catch (error) {
    return { stopped: "away" };
  }
}

/* What waits, and what the last answer to this sheet's entry was where it was not saved. */
function show(answer) {
  const stopped = answer?.stopped;
  const entries = mine();
  const others = entries.filter((entry) => !isOurs(entry));
  const part = (name) => strip.querySelector(`[data-outbox-${name}]`);
  strip.hidden = !entries.length;
  part("count").textContent = strip.dataset.waiting.replace("{n}", entries.length);
  for (const name of ["barred", "busy", "fault"]) {
    part(name).hidden = stopped !== name;
  }
  part("fault").textContent = strip.dataset.fault.replace("{number}", answer?.number || "");
  part("whose").hidden = !others.length || left;
  part("whose").firstElementChild.textContent = strip.dataset.whose
    .replace("{n}", others.length)
    .replace("{who}", [...new Set(others.map((entry) => entry.who))].join("、"))
    .replace("{now}", strip.dataset.name);
  strip.querySelector("ul").replaceChildren(...entries.map(row));
  form?.dispatchEvent(new CustomEvent("duozhu:free", { detail: !touched }));
}

/* The others' entries of this sheet go under the name of who is here. */
function adopt() {
  const { actor, name } = strip.dataset;
  write(read().map((entry) => (entry.url === here() ? Object.assign(entry, { actor, who: name }) : entry)));
  show();
  send();
}

function row(entry) {
  const line = document.createElement("li");
  const text = document.createElement("span");
  text.textContent = strip.dataset.hand.replace("{n}", entry.number) + (entry.refused ? ` · ${entry.refused}` : "");
  line.append(text);
  if (entry.refused && isOurs(entry)) {
    line.append(button(strip.dataset.open, () => open(entry)));
    line.append(button(strip.dataset.drop, () => drop(entry)));
  }
  return line;
}

function button(label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "quiet";
  made.textContent = label;
  made.addEventListener("click", act);
  return made;
}

function drop(entry) {
  if (confirm(strip.dataset.sure)) {
    write(read().filter((other) => other.key !== entry.key));
    show();
    send();
  }
}

/* Sends a refused entry as a form, so that the server's page says all about it and keeps the input. */
function open(entry) {
  keepBegun();
  const whole = document.createElement("form");
  whole.method = "post";
  whole.action = entry.url;
  whole.hidden = true;
  change(entry.key, { refused: "", was: entry.refused });
  const fields = entry.fields.filter(([name]) => name !== "key" && name !== "csrfmiddlewaretoken");
  for (const [name, value] of [...fields, ["key", entry.key], ["csrfmiddlewaretoken", token()]]) {
    const input = document.createElement("textarea");
    input.name = name;
    input.value = value;
    whole.append(input);
  }
  document.body.append(whole);
  whole.submit();
}

/* What was begun before another hand is opened: a change of the refused one, or a draft (draft.js). */
function keepBegun() {
  if (!form || !touched) {
    return;
  }
  const data = new FormData(form);
  data.delete("file");
  const { value: key } = form.elements.key;
  if (mine().some((entry) => entry.key === key)) {
    change(key, { fields: [...data.entries()] });
  } else {
    form.dispatchEvent(new CustomEvent("duozhu:left"));
  }
}

/* Somebody has entered a hand meanwhile. */
function hear() {
  const told = document.querySelector("[data-sheet-next]");
  const number = Number(told && told.dataset.sheetNext);
  const shown = Number(form.elements.number.value);
  if (!number || number <= shown) {
    return;
  }
  form.dataset.next = number;
  if (touched) {
    const news = document.getElementById("entry-news");
    news.hidden = false;
    news.textContent = news.dataset.text
      .replace("{n}", told.dataset.last)
      .replace("{who}", told.dataset.by)
      .replace("{next}", number);
  } else if (told.dataset.open) {
    moveOn(nextNumber());
  } else if (!mine().length) {
    location.reload();
  }
}

function moveOn(number) {
  form.elements.number.value = number;
  document.getElementById("entry-title").textContent = strip.dataset.title.replace("{n}", number);
}

/* The fields of the next hand: nothing chosen, one number on. */
function clear(number) {
  for (const field of form.querySelectorAll("input, textarea")) {
    if (field.type === "radio" || field.type === "checkbox") {
      field.checked = false;
    } else if (field.type !== "hidden") {
      field.value = "";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  for (const panel of form.querySelectorAll("#taken, #differs, #stopped, #faults, .errorlist")) {
    panel.remove();
  }
  form.dispatchEvent(new Event("reset"));
  moveOn(number);
  form.elements.key.value = uuid();
  document.getElementById("answer").replaceChildren();
  document.getElementById("entry-news").hidden = true;
  touched = false;
}

function save(event) {
  const data = new FormData(form);
  const file = data.get("file");
  if (file && file.size) {
    if (!navigator.onLine) {
      event.preventDefault();
      document.getElementById("answer").textContent = strip.dataset.file;
    }
    return;
  }
  data.delete("file");
  data.delete("csrfmiddlewaretoken");
  const number = Number(data.get("number")) || nextNumber();
  data.set("number", number);
  const again = data.get("key");
  const key = uuid();
  const { actor, name: who } = strip.dataset;
  const entry = { key, url: here(), number, actor, who, fields: [...data.entries()] };
  const entries = read();
  const at = entries.findIndex((other) => other.key === again);
  entries.splice(at < 0 ? entries.length : at, at < 0 ? 0 : 1, entry);
  if (!write(entries)) {
    return;
  }
  event.preventDefault();
  clear(Math.max(number + (Number(data.get("hands")) || 1), nextNumber()));
  show();
  send();
}

function nextNumber() {
  const last = mine().map((entry) => entry.number + 1);
  return Math.max(Number(form.dataset.next), ...last);
}

if (strip) {
  if (form) {
    form.addEventListener("submit", save);
    for (const kind of ["input", "click"]) {
      form.addEventListener(kind, (event) => {
        if (event.isTrusted) {
          touch();
        }
      });
    }
    const again = mine().find((entry) => entry.key === form.elements.key.value);
    touched = Boolean(again);
    if (again) {
      change(again.key, { refused: again.was || strip.dataset.hand.replace("{n}", again.number) });
    }
    if (!again && mine().length) {
      clear(nextNumber());
    }
    document.addEventListener("duozhu:swapped", hear);
    form.addEventListener("duozhu:resumed", touch);
  }
  const acts = {
    adopt,
    leave() {
      left = true;
      show();
    },
  };
  for (const key of strip.querySelectorAll("[data-outbox-do]")) {
    key.addEventListener("click", acts[key.dataset.outboxDo]);
  }
  show();
  window.addEventListener("online", () => {
    tries = 0;
    send();
  });
  send();
}
