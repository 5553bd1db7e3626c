import { useState } from 'preact/hooks';

/**
 * Returns a setting that is off at first, and a function that changes it. The browser stores the
 * choice.
 */
export function useKept(key: string): readonly [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => localStorage.getItem(key) === 'on');
  return [isOn, (next) => {
    localStorage.setItem(key, next ? 'on' : 'off');
    setOn(next);
  }];
}
