/** Polls a condition that no event reports, until it is true. */
export async function until(isSo: () => boolean | Promise<boolean>, seconds = 90): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!await isSo()) {
    if (Date.now() > end) throw new Error(`not so after ${seconds} s: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
