/** Saves data as a file of the user. */
export function save(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser begins to read the data after the click.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
