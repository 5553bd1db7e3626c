import { render } from 'preact';
import { App } from './app';
import { Rows } from './rows';
import './console.css';
import './narrow.css';

render(<App rows={new Rows()} />, document.getElementById('console')!);
