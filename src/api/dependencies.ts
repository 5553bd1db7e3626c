/** What an application needs besides its image. Each entry is a URI, see `mainApplicationFile`. */
export interface Dependencies {
  /**
   * Jars for the class path of driver and executors.
   * @default - none
   */
  readonly jars?: string[];
  /**
   * Files for the working directory of each executor.
   * @default - none
   */
  readonly files?: string[];
  /**
   * `.py`, `.zip` and `.egg` files for the Python path.
   * @default - none
   */
  readonly pyFiles?: string[];
  /**
   * Archives to unpack in the working directory of each executor; `archive#name` chooses the folder.
   * @default - none
   */
  readonly archives?: string[];
  /**
   * Maven coordinates, `group:artifact:version`, that the driver resolves when it starts.
   * @default - none
   */
  readonly packages?: string[];
  /**
   * `group:artifact` of packages that are not to come along with `packages`.
   * @default - none
   */
  readonly excludePackages?: string[];
  /**
   * Maven repositories to search besides Maven Central.
   * @default - none
   */
  readonly repositories?: string[];
}
