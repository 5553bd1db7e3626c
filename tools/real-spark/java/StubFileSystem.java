import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Storage in which every path that is asked for is a file: spark-submit looks for dependencies in it, and never opens them. */
public final class StubFileSystem extends FileSystem {
  private URI uri;

  @Override
  public void initialize(URI name, Configuration configuration) throws IOException {
    super.initialize(name, configuration);
    setConf(configuration);
    uri = URI.create(name.getScheme() + "://" + (name.getAuthority() == null ? "" : name.getAuthority()));
  }

  @Override
  public URI getUri() {
    return uri;
  }

  @Override
  public FileStatus getFileStatus(Path path) {
    return new FileStatus(1, false, 1, 1, 0, path);
  }

  @Override
  public FileStatus[] listStatus(Path path) {
    return new FileStatus[] {getFileStatus(path)};
  }

  @Override
  public Path getWorkingDirectory() {
    return new Path("/");
  }

  @Override
  public void setWorkingDirectory(Path path) {}

  @Override
  public FSDataInputStream open(Path path, int size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FSDataOutputStream create(Path path, FsPermission permission, boolean overwrite, int size, short replication, long block, Progressable progress) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FSDataOutputStream append(Path path, int size, Progressable progress) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean rename(Path from, Path to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean delete(Path path, boolean recursive) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) {
    throw new UnsupportedOperationException();
  }
}
