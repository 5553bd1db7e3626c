/** Codes of ECMA-48, which every terminal of today follows. */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], blue: [34, 39], cyan: [36, 39] } as const;

export type Colour = keyof typeof CODES;

/** Puts colours around texts, or leaves them as they are where there are none. The text must be `printable` already. */
export type Paint = (text: string, ...colours: readonly Colour[]) => string;

export function painter({ colour }: { readonly colour: boolean }): Paint {
  if (!colour) return (text) => text;
  return (text, ...colours) => colours.reduce((painted, name) => `\x1b[${CODES[name][0]}m${painted}\x1b[${CODES[name][1]}m`, text);
}

/** How many columns a text takes, without its colours. Wide characters count once: names of Kubernetes have none. */
export function widthOf(text: string): number {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\x1b\[\d+m/g, '').length;
}
