// Reed–Solomon codes over GF(2⁸) with the polynomial 0x11d, as QR codes have them (ISO/IEC 18004, 7.5).

/** @param {number} x @param {number} y @returns {number} their product in the field */
function times(x, y) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = product << 1 ^ (product >> 7) * 0x11d;
    product ^= (y >> bit & 1) * x;
  }
  return product;
}

/** @param {number} degree @returns {Uint8Array} (x − 1)(x − 2)(x − 4) …, without its leading 1 */
function generator(degree) {
  const result = new Uint8Array(degree);
  result[degree - 1] = 1;
  let root = 1;
  for (let round = 0; round < degree; round += 1) {
    for (let place = 0; place < degree; place += 1) {
      result[place] = times(result[place], root) ^ (result[place + 1] ?? 0);
    }
    root = times(root, 2);
  }
  return result;
}

/**
 * What is written behind a block, so that errors in it can be mended.
 * @param {Uint8Array} block @param {number} count of bytes
 * @returns {Uint8Array}
 */
export function errorCorrection(block, count) {
  const divisor = generator(count);
  const rest = new Uint8Array(count);
  for (const byte of block) {
    const factor = byte ^ rest[0];
    rest.copyWithin(0, 1);
    rest[count - 1] = 0;
    divisor.forEach((coefficient, place) => { rest[place] ^= times(coefficient, factor); });
  }
  return rest;
}
