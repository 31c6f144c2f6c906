// What the theme lacks: tables and drawings that the keyboard can scroll, and a search for an error's text as a terminal shows it.

document$.subscribe(() => {
  for (const one of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset p:has(> img)")) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0
  }
})

// The search reads quotes, `^`, `-` and others as operators. An error's text has them, and line breaks, as mere text.
document.querySelector(".md-search__input").addEventListener("paste", event => {
  event.preventDefault()
  const words = event.clipboardData.getData("text").replace(/[^\p{L}\p{N}_]+/gu, " ")
  event.target.setRangeText(words, event.target.selectionStart, event.target.selectionEnd, "end")
  event.target.dispatchEvent(new Event("keyup"))
})
