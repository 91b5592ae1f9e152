# The workbench in a container. What people make is kept in the volume /data:
#   docker build -t ishi .
#   docker run --rm -p 127.0.0.1:8642:8642 -v ishi:/data ishi
# It prints an address that lets a browser in once. compose.yaml says the same.
FROM rust:1.95-slim-bookworm AS build
# Debian's versions of today: an older one could not be had tomorrow.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev python3 && rm -rf /var/lib/apt/lists/*
WORKDIR /ishi
COPY . .
RUN cargo build --locked --release --package ishi --no-default-features && strip target/release/ishi
RUN .ci/third-party-licences "$(rustc --print host-tuple)" > THIRD-PARTY.txt

FROM debian:bookworm-slim
# A user without rights, who owns the data.
RUN useradd --create-home --uid 1000 ishi && mkdir /data && chown ishi /data
COPY --from=build /ishi/target/release/ishi /usr/local/bin/ishi
COPY LICENSE-MIT LICENSE-APACHE NOTICE /usr/share/doc/ishi/
COPY --from=build /ishi/THIRD-PARTY.txt /usr/share/doc/ishi/
# By its number, as Kubernetes wants to see that it is not root.
USER 1000
WORKDIR /data
VOLUME /data
# The database, the experiments that the program holds, and their results.
ENV ISHI_DATA=/data
EXPOSE 8642
# Whoever connects must give the token, as everywhere.
ENTRYPOINT ["ishi"]
CMD ["serve", "--no-open", "--listen", "0.0.0.0:8642"]
