# Spark with the applications of the demo. Build it in examples/applications.
ARG SPARK_IMAGE=apache/spark:4.1.1-scala2.13-java17-python3-ubuntu
FROM ${SPARK_IMAGE} AS spark

FROM eclipse-temurin:17-jdk AS java
COPY --from=spark /opt/spark/jars /jars
COPY JavaPi.java /src/
RUN javac -classpath '/jars/*' --release 17 -proc:none -d /classes /src/JavaPi.java \
 && jar --create --file /java-pi.jar --main-class JavaPi -C /classes .

FROM spark
COPY pi.py /opt/spark/applications/
COPY --from=java /java-pi.jar /opt/spark/applications/
