import type { Theme } from 'vitepress';
// The fonts of the system: those of the theme are larger than most pages.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { correctSearchRoles } from './search-roles.ts';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: () => {
    if (!import.meta.env.SSR) correctSearchRoles();
  },
};

export default theme;
