# The command line and the language server: docker run --rm -v "$PWD:/work" spvls lint .
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY .ci/pack_wheel.py .ci/pack_wheel.py
COPY grammar grammar
COPY share share
COPY spvls spvls
RUN pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index /wheels/*.whl \
    && useradd --create-home --uid 1000 spvls
USER 1000
WORKDIR /work
ENTRYPOINT ["spvls"]
CMD ["--help"]
