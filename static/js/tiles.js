/* The card keypad of a slip (templates/partials/slip.html).

   Markup: [data-tiles] holds four [data-tiles-field] (hand, table, card, xing), each with its text
   field and a hidden .tray; a hidden .tile-pad with [data-mode] buttons (hand 吃 碰 扫 过扫 扫穿 开舵
   card xing), one [data-erase], the 20 cards [data-card] and [data-tiles-groups] for the ways of 吃.

   The text fields are what is sent, and the only state: after every change, by key or by hand, all
   that is shown is read from them again. Their words are those of cli.md's slip: hand, card and
   xing are cards run together, table one meld a line (`吃 二七十`, `碰 九`). A card is enabled only
   while enough of its four copies are left for the mode. 吃 takes two taps: a card, then one of the
   groups it can form. The one winning card moves on to the turned ones. A tap on a laid card or meld takes it back. Changes fire `input` and `change`. */

const SMALL = [..."一二三四五六七八九十"];
const BIG = [..."壹贰叁肆伍陆柒捌玖拾"];
const NAMES = [...SMALL, ...BIG];
const COPIES = { 碰: 3, 扫: 3, 过扫: 3, 扫穿: 4, 开舵: 4, hand: 1, card: 1, xing: 1 };

/* Every group that can be eaten with `name`, cards ascending. */
function groupsWith(name) {
  const own = SMALL.includes(name) ? SMALL : BIG;
  const rank = own.indexOf(name);
  const groups = [];
  for (let first = rank - 2; first <= rank; first += 1) {
    if (first >= 0 && first <= 7) {
      groups.push([own[first], own[first + 1], own[first + 2]]);
    }
  }
  if ([1, 6, 9].includes(rank)) {
    groups.push([own[1], own[6], own[9]]);
  }
  const [small, big] = [SMALL[rank], BIG[rank]];
  groups.push([small, small, big], [small, big, big]);
  return groups;
}

function cardsIn(text) {
  return [...text].filter((char) => NAMES.includes(char));
}

function meldsIn(text) {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [kind, ...rest] = line.split(/\s+/);
      const named = cardsIn(rest.join(""));
      const cards = kind === "吃" ? named : Array(COPIES[kind] ?? 0).fill(named[0]).filter(Boolean);
      return { line, kind, cards };
    });
}

class Slip {
  constructor(root) {
    this.root = root;
    this.mode = "hand";
    this.eating = null;
    this.fields = {};
    for (const part of root.querySelectorAll("[data-tiles-field]")) {
      const input = part.querySelector("input, textarea");
      const tray = part.querySelector(".tray");
      tray.hidden = false;
      input.addEventListener("input", () => this.show());
      this.fields[part.dataset.tilesField] = { part, input, tray };
    }
    this.pad = root.querySelector(".tile-pad");
    this.groups = root.querySelector("[data-tiles-groups]");
    this.count = root.querySelector("[data-tiles-count]");
    this.keys = new Map([...root.querySelectorAll("[data-card]")].map((key) => [key.dataset.card, key]));
    this.pad.hidden = false;
    this.count.hidden = false;
    root.classList.add("tapped");
    root.addEventListener("click", (event) => this.tap(event.target.closest("button")));
    this.show();
  }

  get melds() {
    return meldsIn(this.fields.table.input.value);
  }

  /* How many copies of each card are still to be had. */
  left() {
    const left = new Map(NAMES.map((name) => [name, 4]));
    const used = ["hand", "card", "xing"].flatMap((name) => cardsIn(this.fields[name].input.value));
    for (const name of [...used, ...this.melds.flatMap((meld) => meld.cards)]) {
      left.set(name, left.get(name) - 1);
    }
    return left;
  }

  possible(group, left) {
    return NAMES.every((name) => group.filter((card) => card === name).length <= Math.max(left.get(name), 0));
  }

  tap(button) {
    if (!button) {
      return;
    }
    const { mode, card, take, group, erase } = button.dataset;
    if (mode) {
      this.mode = mode;
      this.eating = null;
      this.show();
    } else if (take !== undefined) {
      this.takeBack(button.closest("[data-tiles-field]").dataset.tilesField, Number(take));
    } else if (group) {
      this.eating = null;
      this.lay(`吃 ${group}`);
    } else if (erase !== undefined) {
      const field = this.fieldOfMode();
      const items = field === "table" ? this.melds : cardsIn(this.fields[field].input.value);
      this.takeBack(field, items.length - 1);
    } else if (card) {
      this.put(card);
    }
  }

  fieldOfMode() {
    return this.mode in this.fields ? this.mode : "table";
  }

  put(card) {
    if (this.mode === "吃") {
      this.eating = this.eating === card ? null : card;
      this.show();
    } else if (this.mode in this.fields) {
      const mode = this.mode;
      const value = mode === "card" ? card : this.fields[mode].input.value.trim() + card;
      this.mode = mode === "card" ? "xing" : mode;
      this.write(mode, mode === "hand" ? this.sorted(value) : value);
    } else {
      this.lay(`${this.mode} ${card}`);
    }
  }

  sorted(text) {
    return cardsIn(text).sort((a, b) => NAMES.indexOf(a) - NAMES.indexOf(b)).join("");
  }

  lay(line) {
    this.write("table", [...this.melds.map((meld) => meld.line), line].join("\n"));
  }

  takeBack(field, index) {
    if (index < 0) {
      return;
    }
    const items = field === "table" ? this.melds.map((meld) => meld.line) : cardsIn(this.fields[field].input.value);
    items.splice(index, 1);
    this.write(field, items.join(field === "table" ? "\n" : ""));
  }

  write(field, value) {
    const { input } = this.fields[field];
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  face(name) {
    return this.keys.get(name).querySelector(".one").cloneNode(true);
  }

  button(data, label, ...content) {
    const button = document.createElement("button");
    button.type = "button";
    Object.assign(button.dataset, data);
    button.setAttribute("aria-label", label);
    button.append(...content);
    return button;
  }

  show() {
    const left = this.left();
    for (const key of this.root.querySelectorAll("[data-mode]")) {
      key.setAttribute("aria-pressed", String(key.dataset.mode === this.mode));
    }
    for (const [name, { part, input, tray }] of Object.entries(this.fields)) {
      part.classList.toggle("on", name === this.fieldOfMode());
      const items =
        name === "table"
          ? this.melds.map((meld, i) => this.laid(meld, i))
          : cardsIn(input.value).map((card, i) => this.button({ take: i }, card, this.face(card)));
      tray.replaceChildren(...items);
    }
    for (const [name, key] of this.keys) {
      key.disabled = !this.enabled(name, left);
      key.classList.toggle("eating", name === this.eating);
      key.querySelector(".left").textContent = Math.max(left.get(name), 0);
    }
    this.showGroups(left);
    const held = cardsIn(this.fields.hand.input.value).length;
    this.count.textContent = this.count.dataset.text.replace("{cards}", held).replace("{melds}", this.melds.length);
  }

  laid(meld, index) {
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = meld.kind;
    const faces = document.createElement("span");
    faces.className = "faces";
    faces.append(...meld.cards.map((card) => this.face(card)));
    const button = this.button({ take: index }, meld.line, faces, name);
    button.className = "laid";
    return button;
  }

  enabled(name, left) {
    if (this.mode === "吃") {
      return left.get(name) > 0 && groupsWith(name).some((group) => this.possible(group, left));
    }
    const free = left.get(name) + (this.mode === "card" && this.fields.card.input.value === name ? 1 : 0);
    return free >= COPIES[this.mode];
  }

  showGroups(left) {
    const groups = this.eating
      ? groupsWith(this.eating).filter((group) => this.possible(group, left))
      : [];
    this.groups.hidden = !groups.length;
    this.groups.replaceChildren(
      ...groups.map((group) => {
        const faces = document.createElement("span");
        faces.className = "faces";
        faces.append(...group.map((card) => this.face(card)));
        return this.button({ group: group.join("") }, group.join(""), faces);
      }),
    );
  }
}

for (const root of document.querySelectorAll("[data-tiles]")) {
  new Slip(root);
}
