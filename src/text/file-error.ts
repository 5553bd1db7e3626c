/** Error in a file of the user. The message names the file, what is wrong and the remedy. */
export class FileError extends Error {}
