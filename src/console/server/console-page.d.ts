/** The page's files. Only the bundler understands this import. */
declare module 'console-page' {
  export const script: string;
  export const style: string;
}
