import { useEffect, useState } from 'preact/hooks';

/** Theme that the user has chosen; by default the system's theme applies. */
export type Theme = 'light' | 'dark' | undefined;

const KEY = 'theme';

/** Returns the theme and a function that changes it. The choice is stored. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : undefined;
  });
  useEffect(() => {
    if (theme === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [theme, (next) => {
    if (next !== undefined) localStorage.setItem(KEY, next);
    setTheme(next);
  }];
}

/** Returns the theme that is visible now. */
export function themeNow(theme: Theme): 'light' | 'dark' {
  return theme ?? (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

/** Returns the other theme. */
export function nextTheme(theme: 'light' | 'dark'): 'light' | 'dark' {
  return theme === 'dark' ? 'light' : 'dark';
}
