// The addresses in what people say.

/** An address ends before blanks, brackets, and the characters that nobody sees. */
const address = /\bhttps?:\/\/[^\s<>"\p{Cc}\p{Cf}]+/giu;
/** What stands behind an address in a sentence, and is none of it. */
const behind = ".,;:!?'’”»…";

/** @param {string} found @returns {string} without the end of the sentence, and without a bracket that opens before it */
function trimmed(found) {
  const after = found.includes("(") ? behind : `${behind})`;
  let end = found.length;
  while (after.includes(found[end - 1])) end -= 1;
  return found.slice(0, end);
}

/** @param {string} found @returns {boolean} whether it may be opened: with a user before the host, it may look like another host's */
function isHarmless(found) {
  try {
    const { protocol, username, password } = new URL(found);
    return ["http:", "https:"].includes(protocol) && username === "" && password === "";
  } catch {
    return false;
  }
}

/**
 * What was said in parts; those that are addresses of the web say so.
 * @param {string} said @returns {{said: string, isAddress: boolean}[]}
 */
export function partsOf(said) {
  const parts = [];
  let done = 0;
  for (const match of said.matchAll(address)) {
    const [index, found] = [match.index ?? 0, trimmed(match[0])];
    if (!isHarmless(found)) continue;
    if (index > done) parts.push({ said: said.slice(done, index), isAddress: false });
    parts.push({ said: found, isAddress: true });
    done = index + found.length;
  }
  if (done < said.length) parts.push({ said: said.slice(done), isAddress: false });
  return parts;
}
