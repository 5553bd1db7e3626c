/**
 * Corrects the roles in the dialog of the search, which contains links but calls them options of a button. Screen readers then
 * announce a dialog with a list of links.
 */
export function correctSearchRoles(): void {
  const correct = () => {
    const box = document.querySelector('.VPLocalSearchBox');
    if (box === null) return;
    setAttribute(box, 'role', 'dialog');
    setAttribute(box, 'aria-label', 'Search');
    for (const name of ['aria-owns', 'aria-expanded', 'aria-haspopup', 'aria-labelledby']) box.removeAttribute(name);
    for (const name of ['aria-activedescendant', 'aria-controls', 'aria-autocomplete']) box.querySelector('#localsearch-input')?.removeAttribute(name);
    for (const part of box.querySelectorAll('[role=listbox], [role=option]')) {
      for (const name of ['role', 'aria-selected', 'aria-labelledby']) part.removeAttribute(name);
    }
    // Pictures of keys have names only as images.
    for (const key of box.querySelectorAll('kbd[aria-label]')) setAttribute(key, 'role', 'img');
    // The text of the link is its name.
    for (const link of box.querySelectorAll('a.result[aria-label]')) link.removeAttribute('aria-label');
  };
  new MutationObserver(correct).observe(document.body, { childList: true, subtree: true, attributeFilter: ['role', 'aria-label', 'aria-activedescendant', 'aria-controls', 'aria-selected'] });
}

/** Only a change is written, as each is observed. */
function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
