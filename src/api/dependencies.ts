/**
 * Dependencies of an application in addition to its image. Each entry is a URI, see
 * `mainApplicationFile`.
 */
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
   * Archives to unpack in the working directory of each executor; `archive#name` chooses the
   * folder.
   * @default - none
   */
  readonly archives?: string[];
  /**
   * Maven coordinates, `group:artifact:version`, that the driver resolves when it starts.
   * @default - none
   */
  readonly packages?: string[];
  /**
   * `group:artifact` of packages to exclude from the dependencies of `packages`.
   * @default - none
   */
  readonly excludePackages?: string[];
  /**
   * Maven repositories to search in addition to Maven Central.
   * @default - none
   */
  readonly repositories?: string[];
}
