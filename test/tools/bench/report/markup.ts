/** What is wrong with a file as XML: elements that are not closed, characters that have to be escaped. Enough for what the writer can do wrong. */
export function faults(xml: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const rest = xml.replace(/<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/g, (_, end, name, __, empty) => {
    if (end) {
      if (open.pop() !== name) wrong.push(`</${name}> closes nothing`);
    } else if (!empty) {open.push(name);}
    return '';
  });
  if (open.length > 0) wrong.push(`open: ${open.join(', ')}`);
  if (/[<>]/.test(rest.replace(/(prefers-color-scheme:dark\)\{[^<>]*\})/g, '$1'))) wrong.push('a tag that is none');
  if (/&(?!#\d+;)/.test(xml)) wrong.push('& that is no reference');
  return wrong;
}

/** The texts that a plot shows, in their order. */
export function texts(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, content]) => content!);
}

/** The values of an attribute of all elements of a name. */
export function attribute(svg: string, element: string, name: string): number[] {
  return [...svg.matchAll(new RegExp(`<${element} [^>]*?\\b${name}="([^"]*)"`, 'g'))].map(([, value]) => Number(value));
}
