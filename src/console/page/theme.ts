import { useEffect, useState } from 'preact/hooks';

/** What the user has chosen; without a choice the system's counts. */
export type Theme = 'light' | 'dark' | undefined;

const KEY = 'theme';

/** The colours, and how to choose others. The choice is kept. */
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

/** What is to be seen now. */
export function themeNow(theme: Theme): 'light' | 'dark' {
  return theme ?? (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

/** The other one. */
export function nextTheme(theme: 'light' | 'dark'): 'light' | 'dark' {
  return theme === 'dark' ? 'light' : 'dark';
}
