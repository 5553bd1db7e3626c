// The fonts of the system: those of the theme are larger than most pages.
import Theme from 'vitepress/theme-without-fonts';
import './style.css';

export default Theme;
