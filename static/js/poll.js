/* Keeps live regions fresh.

   Markup:
     <div id="bracket" data-poll="/e/7/bracket/fragment" data-version="12-3" data-every="5">…</div>
     <p class="live" role="status" data-poll-status="bracket" data-fresh="已更新 {time}" data-behind="正在更新，显示的是 {time} 的内容"
        data-offline="没有网络，显示的是 {time} 的内容" data-over="已结束"></p>       (optional)

   Every `data-every` seconds (give or take a seventh) GET `data-poll?v=data-version`:
     204  nothing new: the page is not touched
     200  the region's new inner HTML; header X-Version, if sent, is the new version, else `data-version`
          on the first element of the answer
     286  the last answer: swapped if it has a body; polling ends
     An answer with X-Again is not the newest yet: the next one is asked for after so many seconds.
     else, or no answer in 10 s: again later, twice as late each time, at most a minute
   Hidden pages do not poll; a page shown again or back online polls at once. Focus, selected text, scroll
   positions and what was opened stay: elements are found again by id, or as the same link, or as the same one of
   their kind. After a swap the region gets the event `duozhu:swapped`; with each answer the document gets `duozhu:answered`, its Date as detail.
   Elements of the answer with `data-into` give their content to the element with that id elsewhere.
   `data-live` on the region says ok, behind, offline or over. */

const LONGEST = 60_000;
const PATIENCE = 10_000;

class Region {
  constructor(element) {
    this.element = element;
    this.every = (Number(element.dataset.every) || 5) * 1000;
    this.failures = 0;
    this.over = false;
    this.busy = false;
    this.freshAt = new Date();
    this.status = document.querySelector(`[data-poll-status="${element.id}"]`);
    this.plan();
  }

  plan(soon) {
    clearTimeout(this.timer);
    if (this.over || document.hidden) {
      return;
    }
    const wait = Math.min(this.every * 2 ** this.failures, LONGEST) * (0.85 + 0.3 * Math.random());
    this.timer = setTimeout(() => this.poll(), soon || wait);
  }

  async poll() {
    if (this.busy || this.over) {
      return;
    }
    clearTimeout(this.timer);
    this.busy = true;
    let soon = 0;
    try {
      const url = new URL(this.element.dataset.poll, location.href);
      url.searchParams.set("v", this.element.dataset.version ?? "");
      const answer = await fetch(url, {
        headers: { "X-Requested-With": "poll" },
        cache: "no-store",
        signal: AbortSignal.timeout ? AbortSignal.timeout(PATIENCE) : undefined,
      });
      document.dispatchEvent(new CustomEvent("duozhu:answered", { detail: answer.headers.get("Date") }));
      if (answer.status === 200 || answer.status === 286) {
        const html = await answer.text();
        if (html.trim()) {
          this.swap(html, answer.headers.get("X-Version"));
        }
      } else if (answer.status !== 204) {
        throw new Error(String(answer.status));
      }
      this.over = answer.status === 286;
      soon = Number(answer.headers.get("X-Again")) * 1000;
      this.failures = 0;
      this.freshAt = new Date();
      this.say(this.over ? "over" : "ok");
      announce(true);
    } catch {
      this.failures += 1;
      this.say(navigator.onLine ? "behind" : "offline");
      announce(this.failures < 3 && navigator.onLine);
    } finally {
      this.busy = false;
      this.plan(soon);
    }
  }

  swap(html, version) {
    const region = this.element;
    const holder = document.createElement("template");
    holder.innerHTML = html;
    region.dataset.version =
      version ?? holder.content.firstElementChild?.dataset.version ?? region.dataset.version;
    for (const part of holder.content.querySelectorAll("[data-into]")) {
      part.remove();
      const into = document.getElementById(part.dataset.into);
      if (into) {
        fill(into, part.childNodes);
      }
    }
    fill(region, holder.content.childNodes);
    region.dispatchEvent(new CustomEvent("duozhu:swapped", { bubbles: true }));
  }

  say(live) {
    const region = this.element;
    const changed = region.dataset.live !== live;
    region.dataset.live = live;
    if (this.status && (changed || live !== "ok")) {
      const pattern = this.status.dataset[live === "ok" ? "fresh" : live] ?? "";
      const time = this.freshAt.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      this.status.textContent = pattern.replace("{time}", time);
    }
  }
}

function fill(region, nodes) {
  const kept = keep(region);
  region.replaceChildren(...nodes);
  restore(region, kept);
  window.htmx?.process(region);
}

function keep(region) {
  const active = document.activeElement;
  const focused = region.contains(active) && active !== region ? active : null;
  return {
    focus: focused && place(region, focused),
    words: selected(region),
    selection: focused && "selectionStart" in focused ? [focused.selectionStart, focused.selectionEnd] : null,
    values: [...region.querySelectorAll("input[id], textarea[id], select[id]")].map((e) => [e.id, e.value]),
    open: [...region.querySelectorAll("details")].map((e) => [place(region, e), e.open]),
    scroll: [...region.querySelectorAll("[data-keep-scroll][id], .bracket, .scroll")]
      .filter((e) => e.scrollLeft || e.scrollTop)
      .map((e) => [e.id, position(region, e), e.scrollLeft, e.scrollTop]),
  };
}

function position(region, element) {
  return [...region.querySelectorAll("[data-keep-scroll], .bracket, .scroll")].indexOf(element);
}

function restore(region, kept) {
  const byId = (id) => region.querySelector(`#${CSS.escape(id)}`);
  for (const [where, open] of kept.open) {
    const details = found(region, where);
    if (details) {
      details.open = open;
    }
  }
  for (const [id, value] of kept.values) {
    const field = byId(id);
    if (field) {
      field.value = value;
    }
  }
  const scrollable = region.querySelectorAll("[data-keep-scroll], .bracket, .scroll");
  for (const [id, place, left, top] of kept.scroll) {
    const element = (id && byId(id)) || scrollable[place];
    element?.scrollTo({ left, top, behavior: "instant" });
  }
  if (kept.focus) {
    const field = found(region, kept.focus);
    field?.focus({ preventScroll: true });
    if (kept.selection && field?.setSelectionRange && kept.selection[0] !== null) {
      field.setSelectionRange(...kept.selection);
    }
  }
  if (kept.words) {
    select(region, ...kept.words);
  }
}

/* Where an element stands: a selector, and which it is among those that fit. */
function place(region, element) {
  const href = element.getAttribute("href");
  const tag = element.localName;
  const fits = element.id ? `#${CSS.escape(element.id)}` : href ? `${tag}[href="${CSS.escape(href)}"]` : tag;
  return [fits, [...region.querySelectorAll(fits)].indexOf(element)];
}

function found(region, [fits, which]) {
  return region.querySelectorAll(fits)[which];
}

/* The selected text inside a region: how much text is before it, and its words. */
function selected(region) {
  const selection = getSelection();
  const range = selection.isCollapsed ? null : selection.getRangeAt(0);
  if (!range || !region.contains(range.commonAncestorContainer)) {
    return null;
  }
  const before = document.createRange();
  before.setStart(region, 0);
  before.setEnd(range.startContainer, range.startOffset);
  return [before.toString().length, range.toString()];
}

/* Selects the words again, where they stand nearest to their former place. */
function select(region, start, words) {
  const text = region.textContent;
  const places = [text.lastIndexOf(words, start), text.indexOf(words, start)].filter((at) => at >= 0);
  if (!places.length) {
    return;
  }
  const at = places.reduce((one, other) => (Math.abs(other - start) < Math.abs(one - start) ? other : one));
  const range = document.createRange();
  const texts = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
  for (let passed = 0; texts.nextNode(); passed += texts.currentNode.length) {
    const end = passed + texts.currentNode.length;
    if (passed <= at && at < end) {
      range.setStart(texts.currentNode, at - passed);
    }
    if (at + words.length <= end) {
      range.setEnd(texts.currentNode, at + words.length - passed);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      return;
    }
  }
}

function announce(online) {
  window.dispatchEvent(new CustomEvent("duozhu:connection", { detail: { online } }));
}

const regions = [...document.querySelectorAll("[data-poll]")].map((element) => new Region(element));
const again = () => regions.forEach((region) => region.poll());

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    again();
  }
});
window.addEventListener("online", again);
