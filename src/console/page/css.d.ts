/** Style sheet. Only the bundler understands such imports. */
declare module '*.css';
