/* A half typed hand that had to make room for another: kept in localStorage and offered again.

   Markup: form[data-outbox] is the form of a hand, [data-draft] the hidden offer with the buttons
   [data-draft-do] `resume` and `drop`. outbox.js tells the form `duozhu:left` before it leaves the
   page for another hand, and `duozhu:free` whether (detail) nothing is typed in it; it is told
   `duozhu:resumed`. A draft comes back on the page of its own level of evidence. */

const DRAFT = "duozhu:draft";
const OURS = ["key", "number", "evidence", "csrfmiddlewaretoken"];
const form = document.querySelector("form[data-outbox]");
const offer = document.querySelector("[data-draft]");

function read() {
  try {
    const draft = JSON.parse(localStorage.getItem(DRAFT));
    return draft && draft.url === form.getAttribute("action") ? draft : null;
  } catch (error) {
    return null;
  }
}

function keep() {
  const data = new FormData(form);
  data.delete("file");
  const fields = [...data.entries()].filter(([name]) => !OURS.includes(name));
  const draft = { url: form.getAttribute("action"), evidence: data.get("evidence"), fields };
  try {
    localStorage.setItem(DRAFT, JSON.stringify(draft));
  } catch (error) {
    // Nothing is kept where nothing can be.
  }
}

function drop() {
  localStorage.removeItem(DRAFT);
  offer.hidden = true;
}

function resume() {
  const draft = read();
  if (draft.evidence !== form.elements.evidence.value) {
    location.assign(`${draft.url}?tab=${encodeURIComponent(draft.evidence)}`);
    return;
  }
  const given = new Map(draft.fields);
  for (const field of form.querySelectorAll("input, textarea, select")) {
    if (field.type === "radio" || field.type === "checkbox") {
      field.checked = given.get(field.name) === field.value;
    } else if (given.has(field.name)) {
      field.value = given.get(field.name);
    } else {
      continue;
    }
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  form.dispatchEvent(new CustomEvent("duozhu:resumed"));
  drop();
}

if (form && offer) {
  const acts = { resume, drop };
  for (const key of offer.querySelectorAll("[data-draft-do]")) {
    key.addEventListener("click", acts[key.dataset.draftDo]);
  }
  form.addEventListener("duozhu:left", keep);
  form.addEventListener("duozhu:free", ({ detail }) => {
    offer.hidden = !detail || !read();
  });
}
