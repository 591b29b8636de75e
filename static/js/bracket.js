/* Inks the way of one entrant through the bracket.

   Markup: [data-bracket] with lines [data-entrant="17"]. A tap on a line (not on its link) inks all
   lines of that entrant, a second tap takes it back. `#entrant-17` in the address inks it on
   arrival. After a poll the choice is inked again. */

let chosen = /^#entrant-(\d+)$/.exec(location.hash)?.[1] ?? null;

function ink() {
  for (const line of document.querySelectorAll("[data-bracket] [data-entrant]")) {
    line.classList.toggle("inked", line.dataset.entrant === chosen);
  }
}

document.addEventListener("click", (event) => {
  const line = event.target.closest("[data-bracket] [data-entrant]");
  if (line && !event.target.closest("a, button")) {
    chosen = chosen === line.dataset.entrant ? null : line.dataset.entrant;
    ink();
  }
});
document.addEventListener("duozhu:swapped", () => chosen && ink());

if (chosen) {
  ink();
  document.querySelector("[data-bracket] .inked")?.scrollIntoView({ block: "center", inline: "center" });
}
