// Tells people whose browser lacks what the page needs; in the words of old browsers.
(function () {
  /** @type {Record<string, boolean>} */
  var needed = {
    modules: "noModule" in document.createElement("script"),
    elements: "customElements" in window,
    dialogs: "HTMLDialogElement" in window,
    popovers: "popover" in document.documentElement,
    sockets: "WebSocket" in window,
    ports: "MessageChannel" in window
  };
  var lacks = [];
  for (var name in needed) if (!needed[name]) lacks.push(name);
  if (lacks.length === 0) return;
  document.documentElement.setAttribute("data-lacks", lacks.join(" "));
  var landing = document.getElementById("landing");
  if (landing) landing.removeAttribute("hidden");
})();
