// Tells people whose browser lacks what the page needs; in the words of old browsers.
(function () {
  /** Whether the browser keeps something for the page: where it is told not to, a mere look may throw. */
  function hasStorage() {
    try {
      return Boolean(window.localStorage && window.sessionStorage);
    } catch (refusal) {
      return !refusal;
    }
  }

  /** Lets the page's head, which reads its settings, be drawn without them. */
  function keepNothing() {
    var nothing = { getItem: function () { return null; }, setItem: function () {}, removeItem: function () {} };
    Object.defineProperty(window, "localStorage", { value: nothing });
    Object.defineProperty(window, "sessionStorage", { value: nothing });
  }

  /** @type {Record<string, boolean>} */
  var needed = {
    modules: "noModule" in document.createElement("script"),
    elements: "customElements" in window,
    dialogs: "HTMLDialogElement" in window,
    popovers: "popover" in document.documentElement,
    sockets: "WebSocket" in window,
    ports: "MessageChannel" in window,
    storage: hasStorage()
  };
  var lacks = [];
  for (var name in needed) if (!needed[name]) lacks.push(name);
  if (lacks.length === 0) return;
  if (!needed.storage) keepNothing();
  document.documentElement.setAttribute("data-lacks", lacks.join(" "));
  var landing = document.getElementById(lacks.join() === "storage" ? "blocked" : "landing");
  if (landing) landing.removeAttribute("hidden");
})();
