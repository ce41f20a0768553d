// Ticks every second in a worker, where browsers do not slow timers down while the page is hidden.

setInterval(() => postMessage(null), 1000);
